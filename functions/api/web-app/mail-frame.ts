import { bucketOrigin } from './page-policy.ts'

/*
 * The document that a mail is shown in. The app puts the elements of the mail into it; nothing in it runs, and nothing is
 * fetched but pictures: attached ones, and those of other hosts once the reader asks for them.
 */

/** A mail is written for a white page, whatever the app looks like. */
export const mailFrame = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Mail</title>
    <style>
      html { color-scheme: light; background: #fff; color: #1c2230; }
      body { margin: 0; padding: 8px; font: 14px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
      img { max-width: 100%; height: auto; }
      blockquote { margin: 8px 0; padding-inline-start: 12px; border-inline-start: 3px solid #dfe2e8; color: #5b6474; }
      pre { white-space: pre-wrap; }
      table { max-width: 100%; }
    </style>
  </head>
  <body></body>
</html>
`

/** What the document may: show styles and pictures. `withRemote`: pictures of other hosts too. */
export const mailFrameHeaders = (withRemote: boolean): Readonly<Record<string, string>> => ({
  'cache-control': 'public, max-age=300',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data: ${bucketOrigin()}${withRemote ? ' https:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // Opened by itself, it may not run anything either.
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
})
