import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'

const bucket = requireEnvironment('FILES_BUCKET')

/**
 * Where the browser uploads files to and shows pictures from: their bucket, by URLs that are signed for one file each.
 * On this machine the bucket has a port of its own.
 */
export function bucketOrigin(): string {
  if (environment().LOOPBACK_TARGETS === 'allowed') return 'http://127.0.0.1:*'
  return `https://${bucket}.s3.${process.env['AWS_REGION']}.amazonaws.com`
}

/**
 * The app runs and loads its own files only: no inline script or style, no other host but the bucket of its files. Frames
 * show mails, in a document with a policy of its own (`mail-frame.ts`).
 */
const contentPolicy = (pictures: string, files = ''): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${files}`,
    `img-src 'self' ${pictures}${files}`,
    "font-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const headersWith = (policy: string): Readonly<Record<string, string>> => ({
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-frame-options': 'DENY',
})

/** The headers of the page of the app. */
export const pageHeaders = (): Readonly<Record<string, string>> => ({
  ...headersWith(contentPolicy('data: blob:', ` ${bucketOrigin()}`)),
  'cache-control': 'no-cache',
})

/** Those of the pages behind mailed links, whose address is a secret: no cache keeps it, and they contact this service only. */
export const linkPageHeaders: Readonly<Record<string, string>> = {
  ...headersWith(contentPolicy('data:')),
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}
