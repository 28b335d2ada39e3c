import * as z from 'zod'
import { defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'

/*
 * The web app. It is no part of the API, so the reference has none of these addresses; API Gateway sends them here, like
 * every other address outside of `/api`.
 */

const tag = 'Web app'

/** The one page of the app, at this address and at that of each of its screens. */
export const readApp = defineRoute({
  method: 'GET',
  path: '/',
  open: true,
  tag,
  summary: 'Open the web app',
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/html; charset=utf-8',
})

export const readAppFile = defineRoute({
  method: 'GET',
  path: '/assets/{file}',
  open: true,
  tag,
  summary: 'Get a file of the web app',
  params: z.object({ file: z.string().regex(/^[\w.-]{1,120}$/) }),
  answer: z.string(),
  shape: 'raw',
})

/** The document that the app shows a mail in (`mail-frame.ts`). */
export const readMailFrame = defineRoute({
  method: 'GET',
  path: '/mail-frame',
  open: true,
  tag,
  summary: 'Get the document that a mail is shown in',
  query: z.object({ pictures: z.literal('all').optional() }),
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/html; charset=utf-8',
})

/** The only address that the gateway has to know: every other one leads here without it. */
export const routes: readonly Route[] = [readApp]
