import type { Sender } from '../../../shared/deliveries/service.ts'
import { noSender } from './no-sender.ts'

export const streamRecords: Sender<'stream'> = noSender('stream')
