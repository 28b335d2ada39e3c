import * as z from 'zod'
import { maxLinkTokenCharacters } from '../../../shared/kernel/limits/accounts.ts'
import { defineRoute } from '../../../shared/platform/http/routing/define-route.ts'

/*
 * The pages behind mailed links, for people without the app, which has pages at the same addresses. They are no part of the
 * API, so the reference has none of them; API Gateway sends them to the function that answers every address without a route.
 */

const page = <Path extends `/${string}`>(path: Path, summary: string) =>
  defineRoute({
    method: 'GET',
    path,
    open: true,
    tag: 'Pages',
    summary,
    params: path.includes('{token}') ? z.object({ token: z.string().max(maxLinkTokenCharacters) }) : z.object({}),
    answer: z.string(),
    shape: 'raw',
    contentType: 'text/html; charset=utf-8',
  })

export const linkPages = [
  page('/join/{token}', 'Accept an invitation'),
  page('/password/forgot', 'Ask for a new password'),
  page('/password/reset/{token}', 'Set a new password'),
  page('/email/verify/{token}', 'Confirm an e-mail address'),
  page('/follow/{token}', 'Follow a record'),
]

/** What the pages load. */
export const linkPageFiles = {
  'page.js': 'text/javascript; charset=utf-8',
  'texts.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
} as const

export type LinkPageFile = keyof typeof linkPageFiles

export const readLinkPageFile = defineRoute({
  method: 'GET',
  path: '/pages/{file}',
  open: true,
  tag: 'Pages',
  summary: 'Get a file of these pages',
  params: z.object({ file: z.enum(Object.keys(linkPageFiles) as [LinkPageFile, ...LinkPageFile[]]) }),
  answer: z.string(),
  shape: 'raw',
})
