import { writeHistory } from '../../shared/history/service.ts'
import { onStream } from '../../shared/queue/change-feed/on-stream.ts'
import { objects } from '../wiring/objects.ts'
import { store } from '../wiring/store.ts'

const histories = { store, putObject: objects.putObject }

/** Reads the table's stream and writes one history row per record version. */
export const handler = onStream((changes) => writeHistory(histories, changes))
