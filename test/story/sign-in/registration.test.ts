import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../../make/services/service.ts'

const person = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'brass gears 1843',
  password_confirmation: 'brass gears 1843',
}

describe('registering in saas mode', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ appMode: 'saas' })
  })
  afterAll(() => service.stop())

  const register = (body: unknown) => service.api('POST', '/api/register', { body })
  const company = (slug: string, email: string) => ({ ...person, email, company_name: 'Difference Engines', slug })

  it('creates a tenant with its administrator and the roles admin and user', async () => {
    const { status, body } = await register(company('engines', 'Ada@Example.com'))
    expect(status).toBe(201)
    expect(body.data).toEqual({ token: body.token, user: body.user, tenant: body.tenant })
    expect(body).toMatchObject({
      user: { id: 1, email: 'ada@example.com', roles: ['admin'] },
      tenant: { slug: 'engines', name: 'Difference Engines' },
    })
    const roles = await service.api('GET', '/api/sys/roles', { token: body.token })
    expect(roles.body.data).toMatchObject([
      { id: 2, name: 'user', permissions: [] },
      { id: 1, name: 'admin', permissions: ['*'] },
    ])
    expect((await service.api('GET', '/api/sys/users', { token: body.token })).body.meta.total).toBe(1)
  })

  it('lets the company work at once where no mail can be sent', async () => {
    const { body } = await register(company('at-once', 'once@example.com'))
    const { token } = body
    expect((await service.api('GET', '/api/user', { token })).body.data.verification_required).toBe(false)
    const table = { name: 'cases', table_fields: [] }
    expect((await service.api('POST', '/api/sys/entities', { token, body: table })).status).toBe(201)
  })

  it('refuses a slug and an e-mail address that are taken, and names both', async () => {
    expect((await register(company('acme', service.admin.email))).body.errors).toEqual({
      slug: ['The slug has already been taken.'],
      email: ['The email has already been taken.'],
    })
  })

  it('gives a slug to one of several concurrent requests, and stores nothing of the others', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => register(company('race', `racer${n}@example.com`))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    for (const [index, { status }] of answers.entries()) {
      const login = await service.api('POST', '/api/login-local', {
        body: { email: `racer${index + 1}@example.com`, password: person.password },
      })
      expect(login.status).toBe(status === 201 ? 200 : 401)
    }
  })

  it('requires company_name and slug', async () => {
    expect((await register(person)).body.errors).toEqual({
      company_name: ['The company_name field is required.'],
      slug: ['The slug field is required.'],
    })
    expect(Object.keys((await register({ ...person, email: 'nonsense' })).body.errors)).toEqual([
      'email',
      'company_name',
      'slug',
    ])
  })

  it.each(['A', 'a', 'Acme', '1st', 'a b', 'a_b', `a${'b'.repeat(63)}`, 'a\n', ''])(
    'refuses the slug %j',
    async (slug) => {
      const { status, body } = await register(company(slug, 'slugs@example.com'))
      expect([status, Object.keys(body.errors)]).toEqual([422, ['slug']])
    },
  )

  it('names every wrong field in one answer', async () => {
    const { status, body } = await register({
      email: 'nonsense',
      password: 'short',
      password_confirmation: 'other',
      slug: 'A',
      admin: true,
    })
    expect(status).toBe(422)
    expect(body).toEqual({
      field_errors: expect.objectContaining({
        password: [
          expect.objectContaining({ code: 'too_short', params: { field: 'password', min: 8 } }),
          expect.objectContaining({ code: 'passwords_differ', params: {} }),
        ],
      }),
      success: false,
      code: 'validation_failed',
      message: 'Validation error',
      errors: {
        name: ['The name field is required.'],
        email: ['The email must be a valid email address.'],
        password: ['The password must be at least 8 characters.', 'The password confirmation does not match.'],
        company_name: ['The company_name field is required.'],
        slug: [
          'The slug format is invalid. Use 2 to 63 lower-case letters, digits and hyphens, beginning with a letter.',
        ],
        admin: [
          'The admin field is unknown. Known are: name, email, password, password_confirmation, company_name, slug.',
        ],
      },
    })
  })

  it('names both password fields when the confirmation is missing', async () => {
    const { status, body } = await register({
      ...company('twice', 'ada@example.com'),
      password_confirmation: undefined,
    })
    expect([status, body.errors]).toEqual([
      422,
      {
        password_confirmation: ['The password_confirmation field is required.'],
        password: ['The password confirmation does not match.'],
      },
    ])
  })

  it.each(['password', 'Password123', '11111111', 'a'.repeat(129), 'ada@example.com', 'Ada Lovelace'])(
    'refuses the password %j',
    async (password) => {
      const { status, body } = await register({
        ...company('pass', 'ada@example.com'),
        password,
        password_confirmation: password,
      })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['password']])
    },
  )

  it('shows users and roles of one tenant to no other', async () => {
    const { body } = await register(company('island', 'islander@example.com'))
    const member = { name: 'Second', email: 'second@acme.test', password: 'brass gears 1843' }
    const created = await service.api('POST', '/api/sys/users', { token: service.admin.token, body: member })
    const role = await service.api('POST', '/api/sys/roles', { token: service.admin.token, body: { name: 'agent' } })
    for (const [method, path] of [
      ['GET', `/api/sys/users/${created.body.data.id}`],
      ['PUT', `/api/sys/users/${created.body.data.id}`],
      ['DELETE', `/api/sys/users/${created.body.data.id}`],
      ['GET', `/api/sys/roles/${role.body.data.id}`],
      ['DELETE', `/api/sys/roles/${role.body.data.id}`],
    ] as const) {
      const answer = await service.api(method, path, {
        token: body.token,
        body: method === 'PUT' ? { name: 'Stolen' } : undefined,
      })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    const unharmed = await service.api('GET', `/api/sys/users/${created.body.data.id}`, { token: service.admin.token })
    expect(unharmed.body.data).toMatchObject({ name: 'Second', is_active: true, version: 1 })
  })
})

describe('registering in single mode', () => {
  it('is closed by default', async () => {
    const service = await startService()
    try {
      for (const body of [person, {}]) expect((await service.api('POST', '/api/register', { body })).status).toBe(403)
    } finally {
      await service.stop()
    }
  })

  it('creates an ordinary user of the only tenant', async () => {
    const service = await startService({ registration: 'open' })
    try {
      const { status, body } = await service.api('POST', '/api/register', {
        body: { ...person, company_name: 'Ignored Ltd', slug: 'ignored' },
      })
      expect(status).toBe(201)
      expect(body).toMatchObject({ user: { roles: ['user'] }, tenant: { slug: 'acme' } })
      expect((await service.api('GET', '/api/sys/users', { token: body.token })).status).toBe(403)
      const again = await service.api('POST', '/api/register', { body: person })
      expect([again.status, again.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }])
    } finally {
      await service.stop()
    }
  })

  it('answers 409 when there is no tenant yet', async () => {
    const service = await startService({ registration: 'open', seeded: false })
    try {
      const { status, body } = await service.api('POST', '/api/register', { body: person })
      expect([status, body.message]).toEqual([409, expect.stringContaining('no tenant yet')])
    } finally {
      await service.stop()
    }
  })
})
