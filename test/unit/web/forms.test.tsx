import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApprovalCard } from '../../../web/portal/approvals/approval-card.tsx'
import type { AskedField } from '../../../web/tasks/form-fields.ts'
import { TaskForm } from '../../../web/tasks/task-form.tsx'
import { openApp, refusal, show } from './support/app.tsx'
import { formOfRequests } from './support/desk.ts'

const field = (name: string, type: AskedField['type'], more: Partial<AskedField> = {}): AskedField => ({
  name,
  label: null,
  type,
  required: false,
  readonly: false,
  bind: null,
  default: null,
  options: [],
  scale: null,
  ...more,
})
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const press = (name: string) => screen.getByRole('button', { name })

describe('the form of a task', () => {
  const complete = vi.fn<(outcome: string | undefined, data: object) => Promise<unknown>>()
  beforeEach(() => void complete.mockReset().mockResolvedValue(undefined))
  const form = [
    field('ok', 'boolean', { default: 'true' }),
    field('n', 'integer', { default: '5' }),
    field('title', 'text', { bind: 'record.title' }),
    field('asked_by', 'text', { readonly: true, bind: 'record.name' }),
  ]
  const task = { id: 1, form, outcomes: ['approved', 'rejected'] }

  it('shows and sends defaults and what the record holds, each in the type of its field', async () => {
    const { user } = show(<TaskForm task={task} record={{ title: 'Chair', name: 'Rita' }} onComplete={complete} />)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ok' }).checked).toBe(true)
    expect(box('Title').value).toBe('Chair')
    expect(screen.getByText('Rita')).toBeTruthy()
    await user.click(press('Approved'))
    expect(complete).toHaveBeenCalledExactlyOnceWith('approved', { ok: true, n: 5, title: 'Chair' })
  })

  it('clears in the record what somebody clears, and leaves out what was empty', async () => {
    const { user } = show(
      <TaskForm
        task={{ ...task, form: [...form, field('note', 'text')] }}
        record={{ title: 'Chair' }}
        onComplete={complete}
      />,
    )
    await user.clear(box('Title'))
    await user.click(press('Rejected'))
    expect(complete).toHaveBeenCalledExactlyOnceWith('rejected', { ok: true, n: 5, title: null })
  })

  it('puts a refusal at its field, and one that is about none below', async () => {
    complete.mockImplementationOnce(() => fails({ 'data.title': ['The title field is required.'] }))
    const { user } = show(<TaskForm task={task} onComplete={complete} />)
    await user.click(press('Approved'))
    expect(box('Title')).toHaveProperty('ariaInvalid', 'true')
    expect(screen.queryByRole('alert')).toBeNull()
    complete.mockImplementationOnce(() => fails({ outcome: ['The selected outcome is invalid.'] }))
    await user.click(press('Approved'))
    expect((await screen.findByRole('alert')).textContent).toContain('outcome')
  })

  it('keeps what is typed until the task is completed', async () => {
    complete.mockImplementationOnce(() => fails({ 'data.title': ['The title field is required.'] }))
    const first = show(<TaskForm task={task} onComplete={complete} />)
    await first.user.type(box('Title'), 'Desk')
    await first.user.click(press('Approved'))
    first.unmount()
    const second = show(<TaskForm task={task} onComplete={complete} />)
    expect(box('Title').value).toBe('Desk')
    await second.user.click(press('Approved'))
    expect(complete).toHaveBeenLastCalledWith('approved', { ok: true, n: 5, title: 'Desk' })
    second.unmount()
    show(<TaskForm task={task} onComplete={complete} />)
    expect(box('Title').value).toBe('')
  })
})

/** What the API throws for a refusal. */
async function fails(errors: Readonly<Record<string, readonly string[]>>): Promise<never> {
  const { readFailure } = await import('../../../shared/client/api-error.ts')
  throw await readFailure(refusal(422, errors))
}

describe('an approval in the portal', () => {
  const approval = {
    id: 7,
    name: 'Approve',
    due_at: null,
    outcomes: ['approved', 'rejected'],
    created_at: '2026-11-01T08:00:00Z',
    is_claimed: true,
    form: [field('urgent', 'boolean', { default: 'true' }), field('reason', 'text', { bind: 'record.reason' })],
    request: {
      item: null,
      title: 'A chair',
      state: null,
      requester: { id: 3, name: 'Rita' },
      fields: [{ name: 'reason', label: 'Reason', type: 'text', value: 'Broken', text: null }],
      created_at: '2026-11-01T08:00:00Z',
    },
  }

  it('begins with defaults and the request, and says a comment once though the decision was refused', async () => {
    let tries = 0
    const onDecided = vi.fn<(outcome: string) => void>()
    const { user, sent } = show(<ApprovalCard approval={approval as never} onDecided={onDecided} />, {
      'POST /api/portal/approvals/7/comments': {},
      'POST /api/sys/process-tasks/7/complete': () => (tries++ === 0 ? refusal(422, { 'data.reason': ['No.'] }) : {}),
    })
    await user.type(box('Comment for the requester'), 'Fine')
    await user.click(press('Approved'))
    expect(box('Reason')).toHaveProperty('ariaInvalid', 'true')
    await user.click(press('Approved'))
    await waitFor(() => expect(onDecided).toHaveBeenCalledExactlyOnceWith('Approved'))
    expect(sent.map(({ to }) => to.split('/').at(-1))).toEqual(['comments', 'complete', 'complete'])
    expect(sent.at(-1)?.body).toEqual({ outcome: 'approved', data: { urgent: true, reason: 'Broken' } })
  })
})

describe('a new record', () => {
  it('shows what the service refuses at its field, and is sent again under the same key', async () => {
    let tries = 0
    const { user, sent, path } = await openApp('/e/requests/new', {
      'GET /api/e/requests/form': formOfRequests({ hours: 3 }),
      'POST /api/e/requests': () =>
        tries++ === 0 ? refusal(422, { title: ['The title field is required.'] }) : { id: 5, version: 1, data: {} },
    })
    const title = await screen.findByRole('textbox', { name: /Title/ })
    await user.click(press('Create'))
    await waitFor(() => expect(title.getAttribute('aria-invalid')).toBe('true'))
    await user.click(press('Create'))
    await waitFor(() => expect(path()).toBe('/e/requests/5'))
    expect(sent.map(({ body }) => body)).toEqual([{ hours: 3 }, { hours: 3 }])
    const [first, second] = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toBe(second)
  })

  it('says that what was typed was kept, until it is begun anew', async () => {
    localStorage.setItem(
      'draft demo 2 new requests',
      JSON.stringify({ data: { title: 'Chair' }, key: '', at: Date.now() }),
    )
    const { user } = await openApp('/e/requests/new', { 'GET /api/e/requests/form': formOfRequests() })
    const title = await screen.findByRole<HTMLInputElement>('textbox', { name: /Title/ })
    expect(title.value).toBe('Chair')
    await user.click(press('Begin anew'))
    expect(title.value).toBe('')
    expect(screen.queryByRole('button', { name: 'Begin anew' })).toBeNull()
  })
})

describe('the form of an item', () => {
  const form = {
    label: 'Chair',
    data: {},
    fields: [
      { name: 'title', type: 'text', label: 'Title', required: true, visible: true },
      { name: 'why', type: 'text', label: 'Why', visible: false, visible_if: { title: { _eq: 'Chair' } } },
    ],
  }

  it('follows its conditions, forgets an error that was corrected, and sends a lost request under the same key', async () => {
    let tries = 0
    const { user, sent, path } = await openApp('/portal/items/4', {
      'GET /api/portal/items': [{ id: 4, name: 'Chair' }],
      'GET /api/portal/items/4/form': {
        ...form,
        fields: form.fields.map((one) => ({ readonly: false, settings: {}, required: false, ...one })),
      },
      'POST /api/portal/requests': () => {
        tries += 1
        if (tries === 1) return refusal(422, { 'data.title': ['The title field is required.'] })
        if (tries === 2) throw new TypeError('Failed to fetch')
        return { id: 9 }
      },
    })
    const title = await screen.findByRole('textbox', { name: /Title/ })
    expect(screen.queryByRole('textbox', { name: 'Why' })).toBeNull()
    await user.click(press('Send request'))
    await waitFor(() => expect(title.getAttribute('aria-invalid')).toBe('true'))
    await user.type(title, 'Chair')
    expect(title.getAttribute('aria-invalid')).not.toBe('true')
    await user.type(await screen.findByRole('textbox', { name: 'Why' }), 'Old')
    await user.click(press('Send request'))
    await user.click(await screen.findByRole('button', { name: 'Send now' }))
    await waitFor(() => expect(path()).toBe('/portal/requests/9'))
    expect(sent.map(({ body }) => (body as { data: object }).data)).toEqual([
      {},
      { title: 'Chair', why: 'Old' },
      { title: 'Chair', why: 'Old' },
    ])
    const [first, second, third] = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect([first === second, second === third]).toEqual([false, true])
  })
})
