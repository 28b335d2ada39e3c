import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../shared/kernel/text/escape-html.ts'

const style =
  'body{max-width:32rem;margin:15vh auto;padding:0 1.5rem;font:1rem/1.5 system-ui,sans-serif}h1{font-size:1.25rem}'
const styleHash = createHash('sha256').update(style).digest('base64')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  // Its address holds the code of the provider.
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

interface Answered {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came of a sign-in at a provider, as a small page where a browser asks for it; others get the answer as it is. */
export function pageForBrowser<A extends Answered>(
  event: { readonly headers: Readonly<Record<string, string | undefined>> },
  answered: A,
): A {
  const { body: text } = answered
  if (!event.headers['accept']?.includes('text/html') || text === undefined) return answered
  const { message = '', data } = JSON.parse(text) as {
    readonly message?: string
    readonly data?: { readonly address?: string; readonly message?: string }
  }
  const isDone = answered.statusCode < 300
  const title = isDone ? `Signed in as ${data?.address ?? ''}` : 'The sign-in did not succeed'
  const said = isDone ? (data?.message ?? message) : message
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(said)}</p>
</html>
`
  return { ...answered, headers: { ...answered.headers, ...headers }, body }
}
