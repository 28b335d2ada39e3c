import { userWith } from '../../make/builders/people.ts'
import type { TestService } from '../../make/services/service.ts'
import type { Ask, Plan } from './plan.ts'

/** A person without rights of their own, who gets the roles of each case. */
export interface Asker {
  readonly id: number
  readonly token: string
  readonly role: string
}

export async function hireAsker(service: TestService): Promise<Asker> {
  const { id, token, role } = await userWith(service, [])
  return { id, token, role }
}

/** Calls `act` with the token of a person who has the plan's roles, and takes them away again; without roles with none. */
export async function withRoles(
  asker: Asker,
  { roles }: Plan,
  ask: Ask,
  act: (token?: string) => Promise<void>,
): Promise<void> {
  if (roles.length === 0) return act()
  const made: number[] = []
  for (const role of roles) {
    const id = (await ask('role', 'POST', '/api/sys/roles', role)).data?.id
    if (id !== undefined) made.push(id)
  }
  const path = `/api/sys/users/${asker.id}`
  const given = await ask('roles of the user', 'PUT', path, { roles: roles.map(({ name }) => name) })
  if (given.data) await act(asker.token)
  await ask('roles taken', 'PUT', path, { roles: [asker.role] })
  for (const id of made) await ask('role removed', 'DELETE', `/api/sys/roles/${id}`)
}
