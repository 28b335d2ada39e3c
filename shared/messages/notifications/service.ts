export { placeOf, plainMail } from './message-of.ts'
export { notifyPeople } from './notify-people.ts'
export { dispatchToChannels } from './dispatch-to-channels.ts'
