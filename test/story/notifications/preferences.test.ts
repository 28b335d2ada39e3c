import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPreferences } from '../../../shared/messages/preferences/preferences-row.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const path = '/api/user/preferences'
const get = async (token: string) => (await service.api('GET', path, { token })).body.data.notifications
const put = (token: string, notifications: object) => service.api('PUT', path, { token, body: { notifications } })

const bellOnly = { bell: true, email: false, messenger: false }
const byDefault = {
  system: bellOnly,
  message: bellOnly,
  mention: bellOnly,
  comment: bellOnly,
  change: bellOnly,
  subscription: bellOnly,
}

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

describe('preferences', () => {
  it('are the bell for every category until a user chooses', async () => {
    const { token } = await userWith(service, [])
    expect(await get(token)).toEqual(byDefault)
  })

  it('keep what a change leaves out, down to one member', async () => {
    const { token } = await userWith(service, [])
    const message = { bell: true, email: true, messenger: false }
    expect((await put(token, { message: { email: true } })).body.data.notifications).toEqual({ ...byDefault, message })
    await put(token, { system: { bell: false } })
    const expected = { ...byDefault, message, system: { ...bellOnly, bell: false } }
    expect(await get(token)).toEqual(expected)
    // A document as it was read may be sent back.
    expect((await put(token, expected)).body.data.notifications).toEqual(expected)
    await put(token, {})
    expect(await get(token)).toEqual(expected)
  })

  it('lose no change of two at the same time', async () => {
    const { token } = await userWith(service, [])
    await Promise.all([
      put(token, { message: { email: true } }),
      put(token, { message: { messenger: true } }),
      put(token, { system: { email: true } }),
    ])
    expect(await get(token)).toEqual({
      ...byDefault,
      message: { bell: true, email: true, messenger: true },
      system: { ...bellOnly, email: true },
    })
  })

  it('name the nearest category for a wrong one', async () => {
    const { token } = await userWith(service, [])
    const wrong = await put(token, { mesage: { bell: true }, weather: {} })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        'notifications.mesage': ['There is no category mesage. Did you mean message?'],
        'notifications.weather': [
          'There is no category weather. There are system, message, mention, comment, change, subscription.',
        ],
      },
    ])
    expect((await put(token, { message: { sms: true } })).body.errors).toHaveProperty(['notifications.message.sms'])
    expect((await put(token, { message: { bell: 'yes' } })).status).toBe(422)
    expect(await get(token)).toEqual(byDefault)
  })

  it('belong to one user of one tenant, and are read for many users at once', async () => {
    const [one, two, elsewhere] = [await userWith(service, []), await userWith(service, []), await otherTenant(service)]
    await put(one.token, { message: { messenger: true } })
    expect(await get(two.token)).toEqual(byDefault)
    expect(await get(elsewhere.token)).toEqual(byDefault)
    const read = await readPreferences(service.store, service.tenant, [one.id, two.id, one.id, 4711])
    expect(read.get(one.id)?.message).toEqual({ ...bellOnly, messenger: true })
    expect(read.get(two.id)).toEqual(byDefault)
    expect(read.get(4711)).toEqual(byDefault)
    expect((await readPreferences(service.store, { id: 2 }, [one.id])).get(one.id)).toEqual(byDefault)
  })
})
