export { mailSettingsOfChannel } from './email.ts'
export type { CreateSender, SenderContext } from './sender-context.ts'
export { sendTestMail } from './send-test-mail.ts'
export { testChannel } from './test-channel.ts'
