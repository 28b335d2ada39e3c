import { expect } from 'vitest'
import { createUser } from '../../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson } from '../../../../shared/accounts/people/person.ts'
import { findTenantBySlug } from '../../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../../shared/kernel/time/clock.ts'
import { bringPurgeForward } from '../../../make/builders/due-purge.ts'
import { otherTenant } from '../../../make/builders/people.ts'
import { makeTable } from '../../../make/builders/records/tables.ts'
import { upload } from '../../../make/builders/records/uploads.ts'
import { everyItem, everyObject } from '../../../make/services/stores/whole-store.ts'
import type { Operation } from '../enumerate-faults.ts'

/** Removes a deleted tenant with records, history, a file and a person who belongs to another tenant too. */
export const purgeTenant: Operation = {
  name: 'removal of a tenant',
  among: /job-?runner/i,
  async prepare({ service, drain, sweep }, n) {
    const slug = `quagga-${n}`
    const { token } = await otherTenant(service, slug)
    const tenant = (await findTenantBySlug(service.store, slug))!
    const api = async (method: string, path: string, body: object) => {
      const answer = await service.api(method, path, { token, body })
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    }
    const fields = [
      { name: 'title', type: 'text', unique: true },
      { name: 'photo', type: 'file' },
    ]
    await makeTable(service, 'plans', fields, token)
    await api('POST', '/api/e/plans', { title: slug, photo: await upload(service, { token }) })
    const email = `both-${slug}@acme.test`
    const accounts = { store: service.store, clock }
    await createUser(accounts, { id: 1 }, { name: 'Both', email, password: 'sufficiently long 7', roles: [] })
    await joinTenant(accounts, tenant, (await findPerson(service.store, email))!, { roles: ['user'] })
    await drain()
    await api('DELETE', '/api/tenant', { slug })
    return {
      models: [],
      async act() {
        await bringPurgeForward(service, tenant)
        await sweep()
        return async () => {
          const left = (await everyItem(service)).filter(
            (item) =>
              item.pk.startsWith(`T#${tenant.id}#`) ||
              item.pk === `TENANT#${tenant.id}` ||
              item.tenant_id === tenant.id ||
              (item.pk !== `EMAIL#${email}` && item.email !== email && JSON.stringify(item).includes(slug)),
          )
          expect(left).toEqual([])
          expect(
            [...(await everyObject(service)).keys()].filter((key) => key.split('/')[1] === String(tenant.id)),
          ).toEqual([])
          expect((await findPerson(service.store, email))?.memberships).toHaveLength(1)
        }
      },
    }
  },
}
