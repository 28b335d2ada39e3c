import { expect } from 'vitest'
import { createInvitation } from '../../../../shared/accounts/invitations/create-invitation.ts'
import { clock } from '../../../../shared/kernel/time/clock.ts'
import { bellKey } from '../../../../shared/platform/store/keys/messages/bell.ts'
import { everyItem } from '../../../make/services/stores/whole-store.ts'
import type { Operation } from '../enumerate-faults.ts'

/** Erases a user with a token, an invitation and a notification. */
export const eraseUser: Operation = {
  name: 'erasure of a user',
  async prepare({ service, ask }, n) {
    const email = `quagga-${n}@acme.test`
    const password = 'sufficiently long 7'
    const name = `Quaggabert-${n}`
    const { id } = (await ask('POST', '/api/sys/users', { name, email, password, roles: [] })).body.data
    await ask('POST', '/api/login-local', { email, password })
    await createInvitation({ store: service.store, clock }, { id: 1 }, { email, roles: [] })
    const bell = { ...bellKey({ id: 1 }, id, 1), kind: 'notification', v: 1, text: name }
    await service.store.putMany({ id: 1 }, [bell])
    return {
      models: [],
      async act() {
        expect((await ask('POST', `/api/sys/users/${id}/erase`)).status).toBe(202)
        return async () => {
          const items = await everyItem(service)
          expect(items.filter((item) => [email, name].some((word) => JSON.stringify(item).includes(word)))).toEqual([])
          expect(items.filter(({ kind, user_id }) => kind === 'token' && user_id === id)).toEqual([])
          expect((await ask('GET', `/api/sys/users/${id}`)).body.data).toMatchObject({
            name: 'Erased user',
            version: 2,
          })
        }
      },
    }
  },
}
