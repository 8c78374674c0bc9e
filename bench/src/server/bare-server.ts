/**
 * The API's peers: plain Fastify at DATABASE_URL and PORT. `/user/:email` does one indexed, prepared
 * read of about a profile's size, `/check` argon2id alone.
 */
import { hashPassword, verifyPassword } from '@starside/server/accounts/auth/password.ts'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 })
const app = Fastify()
app.get<{ Params: { email: string } }>('/user/:email', async (request) => {
  const { email } = request.params
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'user',
    text: 'select id, email, username, referral_code, status, created_at from users where email = $1',
    values: [email],
  })
  return { success: true, user: rows[0] }
})
const passwordHash = await hashPassword('correct horse')
app.post<{ Body: { password: string } }>('/check', async (request) => {
  const { password } = request.body
  return { success: await verifyPassword(passwordHash, password) }
})
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
