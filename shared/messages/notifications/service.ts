export { placeOf, plainMail } from './message-of.ts'
export type { DescribeNoticedRecord } from './notice-mail.ts'
export { notifyPeople, type NotifyDependencies } from './notify-people.ts'
export { dispatchToChannels } from './dispatch-to-channels.ts'
