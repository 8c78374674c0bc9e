/** The operator's part of the database. */
export interface OperatorTables {
  operator_keys: {
    token_hash: Buffer
    kind: 'token' | 'session'
    name: string
    created_at: Date
    expires_at: Date
  }
}
