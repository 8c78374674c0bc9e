/**
 * The peer of the profile read: Fastify as it comes, one route, one indexed read by a prepared
 * statement, an answer of about the same size. DATABASE_URL and PORT say where.
 */
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 })
const app = Fastify()
app.get('/user/:email', async (request) => {
  const { email } = request.params as { email: string }
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'user',
    text: 'select id, email, username, referral_code, status, created_at from users where email = $1',
    values: [email],
  })
  return { success: true, user: rows[0] }
})
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
