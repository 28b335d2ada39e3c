import { describe, expect, it } from 'vitest'
import { renderTemplate } from '../../../../../shared/messages/notification-templates/render-template.ts'
import { noticeMail } from '../../../../../shared/messages/notifications/notice-mail.ts'

const company = { name: 'Acme' }
const notice = { title: 'Ada commented on Requests 7', text: 'The lamp\n<b>works</b>', url: null }
const record = { id: 7, label: 'Requests', title: 'The lamp', url: 'https://acme.test/follow/x' }
const rendered = async (given: ReturnType<typeof noticeMail>, locale: string | null = null) =>
  renderTemplate(given.template as never, given.params ?? {}, locale)

describe('the mail of a notice', () => {
  it('says what happened, which record it is about, and where it is', async () => {
    const { subject, html, text, missing } = await rendered(noticeMail(company, notice, record, undefined))
    expect(subject).toBe('Ada commented on Requests 7')
    expect(html).toContain('The lamp\n&lt;b&gt;works&lt;/b&gt;')
    expect(html).toContain('<b>Requests 7: The lamp</b>')
    expect(html).toContain('<a href="https://acme.test/follow/x">Open</a>')
    expect(text).toContain('https://acme.test/follow/x')
    expect(missing).toEqual([])
  })

  it.each([
    ['de-AT', 'Öffnen'],
    ['fr', 'Open'],
    [null, 'Open'],
  ])('has its layout in the language of the person: %s', async (locale, word) => {
    const { html } = await rendered(noticeMail(company, notice, record, undefined), locale)
    expect(html).toContain(`>${word}</a>`)
  })

  it('leaves out what there is not', async () => {
    const { html } = await rendered(noticeMail(company, { ...notice, text: '' }, undefined, undefined))
    expect(html).not.toMatch(/<a |<b>|pre-wrap/)
  })

  it('prefers the address that the sender gave', async () => {
    const given = { ...notice, url: 'https://shop.test/7' }
    expect((await rendered(noticeMail(company, given, record, undefined))).html).toContain('href="https://shop.test/7"')
  })

  it('is laid out by the template of the company, in which every name has a value', async () => {
    const body =
      '{{company}}|{{title}}|{{text}}|{{url}}|{{record.id}}|{{record.label}}|{{record.title}}|{{record.name}}'
    const own = { subject: '[{{company}}] {{title}}', body, translations: {} }
    const { subject, html } = await rendered(noticeMail(company, { ...notice, text: 'x' }, record, own))
    expect([subject, html]).toEqual([
      '[Acme] Ada commented on Requests 7',
      'Acme|Ada commented on Requests 7|x|https://acme.test/follow/x|7|Requests|The lamp|Requests 7: The lamp',
    ])
    expect((await rendered(noticeMail(company, notice, undefined, own))).missing).toEqual([])
  })
})
