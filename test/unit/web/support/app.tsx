import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { queryClient } from '../../../../web/api/query-client.ts'
import { sessionQuery } from '../../../../web/api/session.ts'
import { startKeyboard } from '../../../../web/keyboard/keyboard.tsx'
import { theme } from '../../../../web/shell/theme.ts'
import { laterWords, startWords } from '../../../../web/words/words.ts'
import { agent, requests } from './desk.ts'

/** A request that the app sent. */
export interface Sent {
  /** Such as `POST /api/e/requests`. */
  readonly to: string
  readonly body: unknown
  readonly headers: Headers
}

/** What the service answers to a request: `data` of the envelope, or a Response as `refusal` makes it. */
export type Answers = Readonly<Record<string, unknown>>

/** A failure of the service. */
export const refusal = (status: number, errors: Readonly<Record<string, readonly string[]>> = {}): Response =>
  Response.json({ success: false, code: 'invalid', message: 'The data is invalid.', errors }, { status })

export interface Opened {
  readonly user: UserEvent
  /** What was sent, reading apart. */
  readonly sent: readonly Sent[]
}

await startWords('en')
await laterWords('en')
startKeyboard()

/** Has the service answer as a test says; what is read and not named is an empty list. */
function serve(answers: Answers): readonly Sent[] {
  const all: Answers = {
    'GET /api/user': agent,
    'GET /api/sys/entities': [requests],
    'GET /api/sys/entities/name/requests': requests,
    'GET /api/e/requests/revision': { revision: 1 },
    ...answers,
  }
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const to = `${request.method} ${new URL(request.url).pathname}`
    const body: unknown = await request.json().catch(() => undefined)
    if (request.method !== 'GET') sent.push({ to, body, headers: request.headers })
    const found = Object.hasOwn(all, to) ? all[to] : request.method === 'GET' ? [] : refusal(404)
    const answer: unknown = await (typeof found === 'function' ? found(body) : found)
    if (answer instanceof Response) return answer.clone()
    const total = Array.isArray(answer) ? answer.length : undefined
    return Response.json({ success: true, data: answer, message: 'OK', meta: { total } })
  })
  return sent
}

const around = (children: ReactNode) => (
  <MantineProvider theme={theme} env="test">
    <QueryClientProvider client={queryClient}>
      <Notifications />
      {children}
    </QueryClientProvider>
  </MantineProvider>
)

/** Shows a part of the app to somebody who is signed in. */
export function show(part: ReactNode, answers: Answers = {}): Opened & ReturnType<typeof render> {
  queryClient.clear()
  const sent = serve(answers)
  queryClient.setQueryData(sessionQuery.queryKey, (answers['GET /api/user'] ?? agent) as typeof agent)
  const user = userEvent.setup()
  return { user, sent, ...render(around(part)) }
}

/** Opens the whole app at an address. */
export async function openApp(
  address: string,
  answers: Answers = {},
): Promise<Opened & { readonly path: () => string }> {
  queryClient.clear()
  const sent = serve(answers)
  // The portal's styles are in a file of their own, which the page names.
  document.head.innerHTML = '<link id="portal-styles">'
  const { makeRouter } = await import('../../../../web/routes.tsx')
  const router = makeRouter(createMemoryHistory({ initialEntries: [address] }))
  render(around(<RouterProvider router={router} />))
  return { user: userEvent.setup(), sent, path: () => router.state.location.pathname }
}
