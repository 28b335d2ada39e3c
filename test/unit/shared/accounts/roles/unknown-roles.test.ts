import { describe, expect, it } from 'vitest'
import { namingUnknownRoles } from '../../../../../shared/accounts/roles/role.ts'
import { Conflict, Invalid } from '../../../../../shared/kernel/failures/faults.ts'

const config = { listFresh: async () => ['admin', 'user', 'agent'].map((name) => ({ name, version: 1, doc: {} })) }
const writing = (roles: readonly string[] | undefined, error: Error) =>
  namingUnknownRoles({ config }, { id: 1 }, roles, () => Promise.reject(error))
const refusedFirst = new Invalid({ 'roles.1': ['The selected roles.1 is invalid.'], name: ['Too long.'] })

describe('a write that names roles', () => {
  it('answers what it answers when it succeeds', async () => {
    expect(await namingUnknownRoles({ config }, { id: 1 }, ['agnet'], async () => 7)).toBe(7)
  })

  it('that is refused names every role that does not exist, beside the other errors', async () => {
    await expect(writing(['agent', 'agnet', 'user', 'pilot'], refusedFirst)).rejects.toMatchObject({
      errors: {
        name: ['Too long.'],
        'roles.1': [expect.stringMatching(/^The selected roles\.1 is invalid: .*agent/)],
        'roles.3': [expect.stringMatching(/^The selected roles\.3 is invalid: /)],
      },
    })
    const named = await writing(['agent', 'agnet'], refusedFirst).catch((error: Invalid) => Object.keys(error.errors))
    expect(named).toEqual(['name', 'roles.1'])
  })

  it.each<[string, readonly string[] | undefined, Error]>([
    ['names roles that exist by now', ['agent', 'user'], refusedFirst],
    ['names none', [], refusedFirst],
    ['leaves them out', undefined, refusedFirst],
    ['is refused for no field', ['agnet'], new Invalid({}, { code: 'invalid_token', message: 'It was used.' })],
    ['is refused for another reason', ['agnet'], new Conflict('name_taken', 'It is in use.')],
    ['fails', ['agnet'], new Error('a fault of ours')],
  ])('is refused as before when it %s', async (_, roles, error) => {
    await expect(writing(roles, error)).rejects.toBe(error)
  })
})
