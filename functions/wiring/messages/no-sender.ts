import type { ChannelType } from '../../../shared/channels/schema.ts'
import type { Sender } from '../../../shared/deliveries/service.ts'

export const noSender = (type: ChannelType): Sender => ({
  send: async () => ({ kind: 'refused', error: `Messages cannot leave through channels of type ${type} yet.` }),
})
