import { onStream } from '../../../shared/platform/queue/change-feed/on-stream.ts'
import { writeHistory } from '../../../shared/records/history/write-history.ts'
import { objects } from '../../wiring/platform/objects.ts'
import { store } from '../../wiring/platform/store.ts'

const histories = { store, putObject: objects.putObject }

/** Reads the table's stream and writes one history row per record version. */
export const handler = onStream((changes) => writeHistory(histories, changes))
