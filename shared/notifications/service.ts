export { dispatchToChannels } from './dispatch-to-channels.ts'
