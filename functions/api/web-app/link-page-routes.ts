import * as z from 'zod'
import { maxLinkTokenCharacters } from '../../../shared/kernel/limits/accounts.ts'
import { defineRoute } from '../../../shared/platform/http/routing/define-route.ts'

/*
 * The pages behind mailed links: screens of the app that need nobody signed in. They have routes of their own, because
 * their addresses are secrets (`linkPageHeaders`), and because programs that look at the links in mails find them too.
 */

const page = <Path extends `/${string}`>(path: Path, summary: string) =>
  defineRoute({
    method: 'GET',
    path,
    open: true,
    tag: 'Web app',
    summary,
    params: path.includes('{token}') ? z.object({ token: z.string().max(maxLinkTokenCharacters) }) : z.object({}),
    // Programs that guard mailboxes add members of their own to links; the app reads its own.
    query: z.looseObject({}),
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
  page('/decide/{token}', 'Decide what a mail asked for'),
  page('/unsubscribe/{token}', 'End the notices about a record'),
]
