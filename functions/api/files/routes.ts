import * as z from 'zod'
import { maxLinkTokenCharacters } from '../../../shared/kernel/limits/accounts.ts'
import { maxFilePathCharacters } from '../../../shared/kernel/limits/records.ts'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { Download, NewFile, Upload } from '../../../shared/tables/files/schema.ts'

const tag = 'Files'
const path = 'files/1/o2Yx0c7WQm1kT9vJ4pLhZr8N/printer.png'
const address = 'https://bucket.s3.amazonaws.com/files/1/o2Yx0c7WQm1kT9vJ4pLhZr8N/printer.png?X-Amz-Signature=...'
const expires_at = '2026-11-20T07:32:00.000Z'

export const beginUpload = defineRoute({
  method: 'POST',
  path: '/api/files',
  operationId: 'beginUpload',
  tag,
  summary: 'Begin an upload',
  description:
    'Answers a path and a signed URL. Send the bytes to the URL with `method` and exactly these `headers`, once, within 15 minutes. Then set the path in a field of type file or image; the record is refused (422) when the content is missing, has another size, or is not of its type. A file that no record holds after 24 hours is removed.',
  permission: signedIn,
  body: NewFile,
  answer: Upload,
  status: 201,
  example: {
    body: { name: 'printer.png', content_type: 'image/png', size: 48213 },
    answer: {
      path,
      upload: {
        url: address,
        method: 'PUT',
        headers: { 'content-type': 'image/png', 'if-none-match': '*' },
        expires_at,
      },
    },
  },
})

export const openFile = defineRoute({
  method: 'GET',
  path: '/api/files',
  operationId: 'getDownload',
  tag,
  summary: 'Get the download URL of a file',
  description:
    'For its uploader and for users who may read a record that holds it; others get 404. The URL works for 15 minutes without a token. Browsers save the file and never open it.',
  permission: signedIn,
  alsoFails: [404],
  query: z.object({
    path: z
      .string()
      .min(1)
      .max(maxFilePathCharacters)
      .meta({ description: 'The path, as a field of a record holds it.' }),
  }),
  answer: Download,
  example: {
    query: { path },
    answer: { url: address, name: 'printer.png', content_type: 'image/png', size: 48213, expires_at },
  },
})

export const openLink = defineRoute({
  method: 'GET',
  path: '/api/files/sent/{token}',
  operationId: 'getSentFile',
  tag,
  summary: 'Download a file of a reply by its link',
  description:
    'Replies whose files are too large for a mail hold such links, each valid for 30 days. The browser is redirected to the file, which it saves and never opens. 404 for a wrong or expired link, and once the file, its comment, the record or the company was removed.',
  open: true,
  alsoFails: [404, 429],
  params: z.object({
    token: z.string().max(maxLinkTokenCharacters).meta({ description: 'The signed token of the link.' }),
  }),
  answer: z.undefined(),
  status: 302,
  example: { params: { token: '1.7.o2Yx0c7WQm1kT9vJ4pLhZr8N.1798672620.abcdefghijklmnopqrstuvwxyz234567' } },
})

export const routes: readonly Route[] = [beginUpload, openFile, openLink]
