import type { ApiCall, TestService } from '../services/service.ts'

const password = 'correct horse battery'
let made = 0

/** The body of a new user. */
export const person = (more: object = {}) => ({
  name: 'Person',
  email: `admin-story-${(made += 1)}@acme.test`,
  password,
  ...more,
})

/** Creates a user, with some members of its own, and answers it. */
export const createUser = async (asAdmin: ApiCall, more: object = {}) =>
  (await asAdmin('POST', '/api/sys/users', person(more))).body.data

/** Signs such a user in. */
export const tokenOf = async (service: TestService, email: string): Promise<string> =>
  (await service.api('POST', '/api/login-local', { body: { email, password } })).body.token
