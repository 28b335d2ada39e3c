import { messageReader } from '../../../shared/messages/incoming-messages/find-message.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { commentReader } from '../../../shared/records/comments/list-comments.ts'
import { beginUpload } from '../../../shared/tables/files/begin-upload.ts'
import { openDownload } from '../../../shared/tables/files/open-download.ts'
import { authenticate } from '../../wiring/authenticate.ts'
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
  implement(route.openFile, ({ caller, query }) => openDownload(files, caller, query.path, readers)),
])
