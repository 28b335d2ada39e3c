import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Composer } from '../../../web/record/conversation/composer.tsx'
import { type Answers, refusal, show } from './support/app.tsx'

const comments = 'POST /api/e/requests/1/comments'
const options = {
  email: null,
  messenger: null,
  conversations: [],
  files: { limit_bytes: 100, links_days: 30 },
  templates: [],
}
const mail = {
  ...options,
  email: { to: 'rita@example.com', name: 'Rita' },
  conversations: [{ id: 4, name: 'Rita', to: 'rita@example.com', cc: ['boss@example.com'], is_default: true }],
}
const written = { id: 8, created_at: '2026-11-01T08:00:00Z', user: null, body: '' }

const open = (answers: Answers = {}, mayReply = true) =>
  show(<Composer model="requests" id={1} about="Chair" mayComment mayBeInternal mayReply={mayReply} />, {
    'GET /api/e/requests/1/reply-options': options,
    'GET /api/portal/suggest': { articles: [], items: [] },
    [comments]: written,
    ...answers,
  })
/** The database of a browser: what is kept in it, by name. */
function keptFiles(): ReadonlyMap<string, unknown> {
  const kept = new Map<string, unknown>()
  const request = (result: unknown) => ({
    result,
    error: null,
    addEventListener: (event: string, run: () => void) => {
      if (event === 'success') queueMicrotask(run)
    },
  })
  const objectStore = () => ({
    get: (name: string) => request(kept.get(name)),
    put: (value: unknown, name: string) => request(kept.set(name, value)),
    delete: (name: string) => request(kept.delete(name)),
  })
  const database = { close: () => {}, transaction: () => ({ objectStore }), createObjectStore: () => {} }
  vi.stubGlobal('indexedDB', { open: () => request(database) })
  return kept
}
const text = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Write/ })

describe('the composer', () => {
  it('sends a note by Ctrl+Enter, which nobody outside sees', async () => {
    const { user, sent } = open()
    await user.click(await screen.findByRole('radio', { name: 'Internal note' }))
    await user.type(text(), 'Called Rita{Control>}{Enter}{/Control}')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toEqual({ body: 'Called Rita', is_internal: true, attachments: [] })
    await waitFor(() => expect(localStorage.length).toBe(0))
    expect(text().value).toBe('')
  })

  it('answers by mail with the copies that the service offers', async () => {
    const { user, sent } = open({ 'GET /api/e/requests/1/reply-options': mail })
    expect(await screen.findByText('To Rita <rita@example.com>')).toBeTruthy()
    await user.type(text(), 'Done')
    await user.click(screen.getByRole('button', { name: 'Send mail' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toMatchObject({ body: 'Done', is_internal: false, send: 'email', cc: ['boss@example.com'] })
  })

  it('says before sending whether the files leave inside the mail or as links', async () => {
    const { user } = open({ 'GET /api/e/requests/1/reply-options': mail })
    await screen.findByText('To Rita <rita@example.com>')
    const choose = (file: File) =>
      fireEvent.drop(screen.getByRole('form', { name: 'Write' }), { dataTransfer: { files: [file] } })
    choose(new File(['x'.repeat(60)], 'one.txt'))
    expect(screen.getByText('The files leave inside the mail.')).toBeTruthy()
    choose(new File(['x'.repeat(60)], 'two.txt'))
    expect(screen.getByText(/too large for a mail.*links.*30 days/)).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Internal note' }))
    expect(screen.queryByText(/links/)).toBe(null)
  })

  it('waits until it is known whom a reply reaches, and then sends it once', async () => {
    let answer: (known: object) => void = () => {}
    const { user, sent } = open({
      'GET /api/e/requests/1/reply-options': () => new Promise((resolve) => (answer = resolve)),
    })
    await user.type(text(), 'Done')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(sent).toEqual([])
    answer(mail)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toMatchObject({ send: 'email' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(sent).toHaveLength(1)
  })

  it('gives back what was refused together with what was typed since', async () => {
    let refuse: (answer: Response) => void = () => {}
    const { user } = open({ [comments]: () => new Promise((resolve) => (refuse = resolve)) }, false)
    await user.type(text(), 'First')
    await user.click(screen.getByRole('button', { name: 'Comment' }))
    expect(text().value).toBe('')
    await user.type(text(), 'Second')
    refuse(refusal(422, { body: ['The body is too long.'] }))
    await waitFor(() => expect(text().value).toBe('First\n\nSecond'))
    expect(text().getAttribute('aria-invalid')).toBe('true')
  })

  it('keeps what is typed in this browser, and forgets it when it is discarded', async () => {
    const { user, unmount } = open({}, false)
    await user.type(text(), 'Half a')
    unmount()
    const again = open({}, false)
    expect(text().value).toBe('Half a')
    await again.user.click(screen.getByRole('button', { name: 'Discard' }))
    expect([text().value, localStorage.length]).toEqual(['', 0])
  })

  it('keeps the files of what was not sent, until they are let go', async () => {
    const kept = keptFiles()
    const first = open({}, false)
    await first.user.type(text(), 'See it')
    fireEvent.paste(text(), { clipboardData: { files: [new File(['x'], 'photo.png', { type: 'image/png' })] } })
    await waitFor(() => expect(kept.size).toBe(1))
    first.unmount()
    const again = open({}, false)
    expect(await screen.findByText('photo.png')).toBeTruthy()
    await again.user.click(screen.getByRole('button', { name: /photo\.png/ }))
    await waitFor(() => expect(kept.size).toBe(0))
    vi.unstubAllGlobals()
  })

  it('takes files that are pasted, and lets go of them', async () => {
    const { user } = open({}, false)
    const files = [new File(['x'], 'photo.png', { type: 'image/png' })]
    fireEvent.paste(text(), { clipboardData: { files } })
    expect(await screen.findByText('photo.png')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /photo\.png/ }))
    expect(screen.queryByText('photo.png')).toBeNull()
  })

  it('forwards the latest message, or those that are chosen, to somebody outside', async () => {
    const at = '2026-11-01T08:00:00Z'
    const entry = { at, summary: '', is_shortened: false }
    const entries = [
      {
        ...entry,
        kind: 'comment',
        id: '7',
        data: { id: 7, body: 'Serial 4711', is_internal: true, user: { id: 2, name: 'Ada' } },
      },
      { ...entry, kind: 'message', id: '5', data: { id: 5, body: 'It smokes', from_name: 'Rita' } },
    ]
    const { user, sent } = open({
      'GET /api/e/requests/1/reply-options': mail,
      'GET /api/e/requests/1/timeline': entries,
      'POST /api/e/requests/1/forward': { ...written, is_internal: true },
    })
    await user.click(await screen.findByRole('radio', { name: 'Forward' }))
    expect(screen.getByText(/^To somebody outside: the customer reads neither/)).toBeTruthy()
    await user.type(await screen.findByRole('textbox', { name: 'To' }), 'vera@vendor.test')
    expect(screen.getByText(/^To vera@vendor\.test – the customer reads neither/)).toBeTruthy()
    const chosen = await screen.findAllByRole<HTMLInputElement>('checkbox')
    expect(chosen.map(({ checked }) => checked)).toEqual([false, true])
    await user.click(chosen[0] as HTMLElement)
    await user.type(text(), 'Please look')
    await user.click(screen.getByRole('button', { name: 'Forward' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      body: { to: 'vera@vendor.test', body: 'Please look', message_ids: [5], comment_ids: [7], attachments: [] },
    })
  })

  it('offers snippets by their name and text, and inserts the chosen one with its values', async () => {
    const snippet = { problem: null, model: 'requests', roles: null }
    const { user } = open({
      'GET /api/sys/snippets': [
        { ...snippet, id: 1, name: 'Restart', body: 'Switch it off and on.' },
        { ...snippet, id: 2, name: 'Thanks', body: 'Hello {{requester.name}}, a picture helps.' },
        { ...snippet, id: 3, name: 'Invoice picture', body: 'x', model: 'invoices' },
      ],
      'GET /api/e/requests/1/snippets/2': { id: 2, name: 'Thanks', text: 'Hello Rita', missing: [] },
    })
    await user.type(text(), 'Hi. ::pict')
    expect(await screen.findAllByRole('option')).toHaveLength(1)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(text().value).toBe('Hi. Hello Rita'))
    expect(text().selectionStart).toBe('Hi. Hello Rita'.length)
    await user.type(text(), ' ::')
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      'RestartSwitch it off and on.',
      'ThanksHello {{requester.name}}, a picture helps.',
    ])
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('option')).toBe(null)
  })

  it('mentions people by id', async () => {
    const { user, sent } = open(
      { 'GET /api/e/requests/1/mentionable': { people: [{ id: 3, name: 'Bob Builder' }] } },
      false,
    )
    await user.type(text(), 'Ask @bo')
    await user.click(await screen.findByRole('option', { name: 'Bob Builder' }))
    expect(text().value).toBe('Ask @Bob Builder ')
    await user.click(screen.getByRole('button', { name: 'Comment' }))
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ body: 'Ask @[3]' }))
  })
})
