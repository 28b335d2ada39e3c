import type { Sender } from '../../../shared/deliveries/service.ts'
import { noSender } from './no-sender.ts'

export const textMessages: Sender<'sms'> = noSender('sms')
