import { messageReader } from '../../../shared/messages/incoming-messages/find-message.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { Redirect } from '../../../shared/platform/http/routing/envelope.ts'
import { implement, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { commentReader } from '../../../shared/records/comments/list-comments.ts'
import { openSentFile } from '../../../shared/records/comments/open-sent-file.ts'
import { beginUpload } from '../../../shared/tables/files/begin-upload.ts'
import { openDownload } from '../../../shared/tables/files/open-download.ts'
import { authenticate, tokenGuard } from '../../wiring/authenticate.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { store } from '../../wiring/platform/store.ts'
import { recordReads } from '../../wiring/records/record-reads.ts'
import { rowAccess } from '../../wiring/records/row-access.ts'
import { files } from '../../wiring/tables/files.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as route from './routes.ts'

const readers = {
  findRecords: recordReads.findManyWithMerged,
  mayReadComment: commentReader({ store, tables, access: rowAccess }),
  mayReadMessage: messageReader({ store, ...lazyObjects }),
}

export const handler = endpointGroup({ authenticate }, [
  implement(route.beginUpload, ({ caller, body }) => beginUpload(files, caller, body)),
  implementOpen(
    route.openLink,
    async ({ params: { token }, sourceIp }) =>
      new Redirect(await tokenGuard.open({ token, sourceIp }, () => openSentFile(files, token)), {
        'cache-control': 'no-store',
      }),
  ),
  implement(route.openFile, ({ caller, query }) => openDownload(files, caller, query.path, readers)),
])
