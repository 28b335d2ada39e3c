import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const path = '/api/sys/notification_templates'
const api = (method: string, address: string, body?: unknown, token = service.admin.token) =>
  service.api(method, address, { token, body })
const mail = (code: string, more: object = {}) => ({
  name: 'Welcome',
  code,
  subject: 'Welcome {{user.name}}',
  body: '<p>Hello {{user.name}}</p>',
  ...more,
})
const times = { created_at: expect.any(String), updated_at: expect.any(String) }
const make = async (...given: Parameters<typeof mail>) => (await api('POST', path, mail(...given))).body.data

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

describe('a notification template', () => {
  it('is created, read, changed and deleted by an administrator', async () => {
    const made = await api('POST', path, mail('welcome'))
    expect([made.status, made.body.data]).toEqual([
      201,
      { id: expect.any(Number), ...mail('welcome'), translations: {}, ...times, version: 1 },
    ])
    const own = `${path}/${made.body.data.id}`
    const changed = await api('PUT', own, { ...made.body.data, code: 'hello', subject: 'Hi' })
    expect(changed.body.data).toEqual({ ...made.body.data, code: 'hello', subject: 'Hi', ...times, version: 2 })
    expect((await api('GET', own)).body.data).toEqual(changed.body.data)
    expect((await api('PUT', own, { name: 'Hello' })).body.data).toMatchObject({ name: 'Hello', subject: 'Hi' })
    expect((await api('PUT', own, { version: 1, name: 'late' })).body.code).toBe('version_mismatch')
    expect((await api('DELETE', own)).status).toBe(204)
    for (const [method, address] of [
      ['GET', own],
      ['PUT', own],
      ['DELETE', own],
      ['POST', `${own}/preview`],
    ] as const)
      expect((await api(method, address, method === 'PUT' ? {} : undefined)).body.code).toBe(
        'notification_template_not_found',
      )
  })

  it('has a code of its own', async () => {
    await make('taken')
    const again = await api('POST', path, mail('taken'))
    expect([again.status, again.body.errors]).toEqual([422, { code: ['The code has already been taken.'] }])
    const { id } = await make('free')
    expect((await api('PUT', `${path}/${id}`, { code: 'taken' })).body.errors).toHaveProperty('code')
    // A code that was left is free again.
    expect((await api('PUT', `${path}/${id}`, { code: 'moved' })).status).toBe(200)
    expect((await api('POST', path, mail('free'))).status).toBe(201)
    const statuses = await Promise.all([1, 2, 3].map(async () => (await api('POST', path, mail('race'))).status))
    expect(statuses.toSorted()).toEqual([201, 422, 422])
  })

  it('is changed by one of two administrators who change it at the same time', async () => {
    const { id } = await make('contested')
    const answers = await Promise.all(['a', 'b'].map((code) => api('PUT', `${path}/${id}`, { code })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    const { code } = (await api('GET', `${path}/${id}`)).body.data
    const heads = (await api('GET', path)).body.data.filter((one: any) => one.id === id)
    expect(heads.map((one: any) => one.code)).toEqual([code])
  })

  it('names what is wrong with it', async () => {
    const { status, body } = await api('POST', path, mail('wrong', { body: 'Dear\n{{name', subjct: 1 }))
    expect([status, body.errors]).toEqual([422, { subjct: ['The subjct field is unknown. Did you mean subject?'] }])
    const texts = { subject: 's', body: 'b' }
    const { errors } = (
      await api('POST', path, mail('wrong', { body: 'Dear\n{{name', translations: { de_AT: texts } }))
    ).body
    expect(errors).toEqual({
      body: [expect.stringMatching(/^Line 2, column 1: \{\{name\. It is not closed/)],
      'translations.de_AT': [expect.stringContaining('Did you mean de-AT?')],
    })
    for (const [member, value] of [
      ['code', 'with space'],
      ['code', ''],
      ['subject', 'x'.repeat(999)],
      ['body', 'x'.repeat(256 * 1024 + 1)],
      ['translations', { de: { subject: 's' } }],
    ] as const) {
      const refused = await api('POST', path, mail('wrong', { [member]: value }))
      expect([refused.status, Object.keys(refused.body.errors)[0]]).toEqual([422, expect.stringContaining(member)])
    }
    const { code: _, ...lacking } = mail('none')
    expect((await api('POST', path, lacking)).body.errors).toEqual({ code: ['The code field is required.'] })
  })

  it('is listed with its texts for administrators, and by name for every user', async () => {
    const { id } = await make('listed')
    const { token } = await userWith(service, [])
    const seen = (await api('GET', path, undefined, token)).body.data
    expect(seen.find((one: any) => one.id === id)).toEqual({ id, name: 'Welcome', code: 'listed' })
    const first = await api('GET', `${path}?per_page=1`)
    expect(first.body.data).toEqual([{ id, ...mail('listed'), translations: {}, ...times, version: 1 }])
    const second = await api('GET', `${path}?per_page=1&cursor=${first.body.meta.next_cursor}`)
    expect(second.body.data[0].id).toBeLessThan(id)
    for (const [method, address, body] of [
      ['POST', path, mail('mine')],
      ['GET', `${path}/${id}`],
      ['PUT', `${path}/${id}`, {}],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/preview`, {}],
    ] as const)
      expect((await api(method, address, body, token)).status).toBe(403)
  })

  it('of another tenant does not exist', async () => {
    const { id } = await make('private')
    const { token } = await otherTenant(service)
    expect((await api('GET', `${path}/${id}`, undefined, token)).status).toBe(404)
    expect((await api('POST', `${path}/${id}/preview`, {}, token)).status).toBe(404)
    expect((await api('GET', path, undefined, token)).body.data).toEqual([])
    expect((await api('POST', path, mail('private'), token)).status).toBe(201)
  })

  it('leaves its history in the trail', async () => {
    const { id } = await make('traced')
    await api('PUT', `${path}/${id}`, { subject: 'Changed' })
    await service.cloud.idle()
    const { body } = await api('GET', '/api/sys/audit?model=sys_notification_templates&per_page=2')
    expect(body.data).toMatchObject([
      { action: 'update', record_id: id, name: 'traced', version: 2 },
      { action: 'create', record_id: id, name: 'traced', version: 1 },
    ])
    expect(body.data[0].changes.subject).toEqual({ old: 'Welcome {{user.name}}', new: 'Changed' })
  })
})

describe('a list larger than an answer', () => {
  it('ends early by cursor and says what fits by page', async () => {
    const { token } = await otherTenant(service)
    const body = 'x'.repeat(250 * 1024)
    for (let n = 1; n <= 20; n += 1) await api('POST', path, mail(`large_${n}`, { body }), token)
    const refused = await api('GET', path, undefined, token)
    expect([refused.status, refused.body.code]).toEqual([422, 'page_too_large'])
    const ids: number[] = []
    let address: string | null = `${path}?per_page=1`
    while (address !== null) {
      const page: any = (await api('GET', address, undefined, token)).body
      ids.push(...page.data.map(({ id }: any) => id))
      address = page.meta.next_cursor === null ? null : `${path}?per_page=1000&cursor=${page.meta.next_cursor}`
    }
    expect([ids.length, new Set(ids).size, ids[0]]).toEqual([20, 20, Math.max(...ids)])
  })
})

describe('the preview', () => {
  it('shows the mail in the language of the recipient, and what lacks a value', async () => {
    const { id } = await make('previewed', {
      subject: 'Request {{request.id}}: {{request.title}}',
      body: '<p>Dear {{client.name}},</p><p><a href="https://desk.example/{{request.id}}">{{request.title}}</a></p>',
      translations: { de: { subject: 'Anfrage {{request.id}}', body: '<p>Guten Tag {{client.name}}</p>' } },
    })
    const params = { request: { id: 42, title: '<Printer>\njam' } }
    const { status, body } = await api('POST', `${path}/${id}/preview`, { params })
    expect([status, body.data]).toEqual([
      200,
      {
        subject: 'Request 42: <Printer> jam',
        html: '<p>Dear ,</p><p><a href="https://desk.example/42">&lt;Printer&gt;\njam</a></p>',
        text: 'Dear ,\n\n<Printer> jam [https://desk.example/42]',
        missing: ['client.name'],
      },
    ])
    const german = await api('POST', `${path}/${id}/preview`, { params: { client: { name: 'Ö' } }, locale: 'de-AT' })
    expect(german.body.data).toEqual({
      subject: 'Anfrage',
      html: '<p>Guten Tag Ö</p>',
      text: 'Guten Tag Ö',
      missing: ['request.id'],
    })
    expect((await api('POST', `${path}/${id}/preview`)).body.data.missing).toHaveLength(3)
    expect((await api('POST', `${path}/${id}/preview`, { locale: 'de_AT' })).body.errors).toHaveProperty('locale')
  })

  it('refuses values that make the mail too long', async () => {
    const { id } = await make('repeating', { body: '{{a}}'.repeat(1000) })
    const { status, body } = await api('POST', `${path}/${id}/preview`, { params: { a: 'x'.repeat(10_000) } })
    expect([status, body.errors.body[0]]).toEqual([422, expect.stringContaining('longer than 1 MB')])
  })
})

describe('templates as configuration', () => {
  const read = async (token: string) => (await api('GET', '/api/sys/config', undefined, token)).body.data.templates
  const apply = (templates: unknown, token: string) => api('PUT', '/api/sys/config', { templates }, token)

  it('are the same in another tenant, and change nothing the second time', async () => {
    const [{ token: from }, { token }] = [await otherTenant(service), await otherTenant(service)]
    const translations = { 'de-AT': { subject: 'Servus', body: '<p>Servus {{user.name}}</p>' } }
    await api('POST', path, mail('exported', { translations }), from)
    const document = await read(from)
    const { name, code, ...texts } = mail('exported', { translations })
    expect(document).toEqual([{ name: code, label: name, ...texts }])
    expect((await apply(document, token)).body.data.created).toEqual(['templates.exported'])
    expect(await read(token)).toEqual(document)
    expect((await apply(document, token)).body.data).toMatchObject({ created: [], changed: [], unchanged: 1 })
    const changed = await apply([{ ...document[0], subject: 'New' }], token)
    expect(changed.body.data.changed).toEqual(['templates.exported'])
    expect((await api('GET', path, undefined, token)).body.data).toMatchObject([{ name, code, subject: 'New' }])
  })

  it('are refused with a wrong code, locale or placeholder before anything is written', async () => {
    const { token } = await otherTenant(service)
    const texts = { subject: 's', body: 'b' }
    expect((await apply([{ name: 'with space', ...texts }], token)).body.errors).toHaveProperty('templates.0.name')
    const { status, body } = await apply(
      [
        { name: 'fine', ...texts },
        { name: 'odd', subject: '{{', body: 'b', translations: { de_AT: texts } },
      ],
      token,
    )
    expect([status, Object.keys(body.errors).toSorted()]).toEqual([
      422,
      ['templates.1.subject', 'templates.1.translations.de_AT'],
    ])
    expect(await read(token)).toEqual([])
  })
})
