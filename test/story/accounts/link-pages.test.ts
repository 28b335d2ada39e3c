import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { startService, type TestService } from '../../make/services/service.ts'

/* The pages behind mailed links: screens of the app at addresses that are secrets; test/servers has them in a browser. */

let service: TestService
const lines: string[] = []
beforeAll(async () => {
  service = await startService({
    parameters: { LogLevel: 'INFO' },
    onOutput: (_name, text) => void lines.push(text),
    log: () => {},
  })
})
afterAll(() => service?.stop())

const secret = 'a-secret-of-somebody'
const addresses = [
  `/join/${secret}`,
  '/password/forgot',
  `/password/reset/${secret}`,
  `/email/verify/${secret}`,
  `/follow/${secret}`,
  // Programs that rewrite links in mails add it.
  `/follow/${secret}/`,
]
const get = (path: string) => service.api('GET', path)
const textOfMailTo = async (address: string): Promise<string> => {
  await service.cloud.idle()
  return service.cloud.outbox.list({ type: 'mail', to: address })[0]?.text ?? ''
}

it.each(addresses)(
  '%s is a page that runs its own script only, is not kept, and tells no site of its address',
  async (path) => {
    const { status, headers, body } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(body).not.toContain(secret)
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/)
    const loaded = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(([, file]) => file)
    expect(loaded.length).toBeGreaterThan(1)
    for (const file of loaded) expect((await fetch(new URL(file, `${service.url}${path}`))).status).toBe(200)
  },
)

it('links of invitations and mails lead to the pages, whose tokens the API takes', async () => {
  const body = { email: 'fay@acme.test', roles: ['user'] }
  const invited = await service.api('POST', '/api/tenant/invite', { token: service.admin.token, body })
  const { url, token } = invited.body.data
  expect(url).toBe(`${service.url}/join/${token}`)
  const mailed = new RegExp(`${service.url}/join/([\\w-]{43})\\s`).exec(await textOfMailTo('fay@acme.test'))?.[1]
  expect((await get(`/api/join/${mailed}`)).body.data).toMatchObject({ email: 'fay@acme.test', has_account: false })

  const { role } = await userWith(service, [])
  const address = `${role}@acme.test`
  await service.api('POST', '/api/password/forgot', { body: { email: address } })
  const mail = await textOfMailTo(address)
  const reset = new RegExp(`${service.url}/password/reset/([\\w-]{43})\\s`).exec(mail)?.[1]
  const password = 'quite another 9'
  const set = { token: reset, password, password_confirmation: password }
  expect((await service.api('POST', '/api/password/reset', { body: set })).status).toBe(200)
})

it('no log line has a token of a page', async () => {
  for (const path of addresses) await get(path)
  expect(lines.join('')).toContain('/join/***')
  expect(lines.join('')).not.toContain(secret)
})
