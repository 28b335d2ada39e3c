import type * as z from 'zod'
import { requireCurrentVersion, type VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import { requirePerson } from '../../kernel/failures/permission-missing.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { refuseRolesAboveKey } from '../keys/api-key.ts'
import { changeUser } from '../people/change-user.ts'
import { createUser } from '../people/create-user.ts'
import { listUsers } from '../people/list-users.ts'
import { describeUser, findUser, type User } from '../people/user.ts'
import { defaultRole, namingUnknownRoles } from '../roles/role.ts'
import type { NewUserBody, UserChangesBody } from '../schema.ts'

type UserAnswer = ReturnType<typeof describeUser>

/**
 * The administration of a tenant's users. Throws NotFound for users of other tenants, and Invalid for a change of name,
 * address, password or locale of a person who belongs to other tenants too.
 */
export function administerUsers(accounts: AccountDependencies) {
  const { store, config } = accounts

  async function list(tenant: Tenant, query: ListQuery): Promise<Page<UserAnswer>> {
    const page = await listUsers(store, tenant, query)
    return { ...page, items: page.items.map(describeUser) }
  }

  async function read(tenant: Tenant, id: number): Promise<UserAnswer> {
    const user = await findUser(store, tenant, id)
    if (!user) throw new NotFound('user', { id })
    return describeUser(user)
  }

  async function create(caller: Caller, body: z.output<typeof NewUserBody>): Promise<UserAnswer> {
    const { tenant } = caller
    const { name, email, password, locale } = body
    const roles = body.roles ?? [await defaultRole(config, tenant)]
    const given = { name, email, password, roles, locale, isActive: body.is_active, ...orgReferences(body) }
    return describeUser(
      await namingUnknownRoles(accounts, tenant, roles, () => createUser(accounts, tenant, given, { by: caller })),
    )
  }

  async function change(
    caller: Caller,
    id: number,
    body: z.output<typeof UserChangesBody>,
    ifMatch?: VersionMatch,
  ): Promise<UserAnswer> {
    const { name, email, password, roles, locale, version } = body
    const substitution = { substituteId: body.substitute_id, from: body.from, to: body.to }
    const changes = {
      name,
      email,
      password,
      roles,
      locale,
      substitution,
      isActive: body.is_active,
      ...orgReferences(body),
    }
    const changesOf = (user: User) => {
      requireCurrentVersion('user', user, { version, ifMatch })
      if (password !== undefined) requirePerson(caller, 'set a password')
      // Whoever has the address asks for a new password there.
      if (email !== undefined && email !== user.email) requirePerson(caller, 'change an e-mail address')
      const [before, after] = [user.isActive, body.is_active ?? user.isActive]
      refuseRolesAboveKey(caller, after ? (roles ?? user.roles) : [], before ? user.roles : [])
      return changes
    }
    return describeUser(
      await namingUnknownRoles(accounts, caller.tenant, roles, () =>
        changeUser(accounts, caller.tenant, id, changesOf, { by: caller, soleOnly: true }),
      ),
    )
  }

  /** Users are disabled, never deleted, because history and records refer to them. */
  async function disable(caller: Caller, id: number, ifMatch?: VersionMatch): Promise<void> {
    const changesOf = (user: User) => {
      requireCurrentVersion('user', user, { ifMatch })
      return { isActive: false }
    }
    await changeUser(accounts, caller.tenant, id, changesOf, { by: caller })
  }

  return { list, read, create, change, disable }
}

const orgReferences = (body: { company_id?: number | null; org_unit_ids?: number[] }) => ({
  companyId: body.company_id,
  orgUnitIds: body.org_unit_ids,
})
