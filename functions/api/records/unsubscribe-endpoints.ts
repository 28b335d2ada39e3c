import { publicUrl, Redirect } from '../../../shared/platform/http/routing/envelope.ts'
import { type Implementation, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import {
  describeEnding,
  endNotices,
  type EndDependencies,
} from '../../../shared/records/comments/watchers/end-notices.ts'
import { tokenGuard } from '../../wiring/authenticate.ts'
import { noticeReaders } from '../../wiring/messages/noticed-record.ts'
import { config } from '../../wiring/platform/config.ts'
import { comments } from '../../wiring/records/comments.ts'
import { readUnsubscribe, subscribeAgain, unsubscribe } from './unsubscribe-routes.ts'

const dependencies: EndDependencies = {
  comments,
  config,
  describeNoticedRecord: noticeReaders.describeNoticedRecord,
}

/** A mail program that knows no one-click asks a browser to open the address of its header. */
const isBrowser = (accept = ''): boolean => accept.includes('text/html')

/** What answers the links by which mails are ended. */
export const unsubscribeEndpoints: readonly Implementation[] = [
  implementOpen(readUnsubscribe, async ({ params: { token }, sourceIp, headers }) =>
    isBrowser(headers.accept)
      ? new Redirect(`${publicUrl()}/unsubscribe/${encodeURIComponent(token)}`, {
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        })
      : tokenGuard.open({ token, sourceIp }, () => describeEnding(dependencies, token)),
  ),
  implementOpen(unsubscribe, ({ params: { token }, sourceIp }) =>
    tokenGuard.open({ token, sourceIp }, () => endNotices(dependencies, token, true)),
  ),
  implementOpen(subscribeAgain, ({ params: { token }, sourceIp }) =>
    tokenGuard.open({ token, sourceIp }, () => endNotices(dependencies, token, false)),
  ),
]
