export { emailSender, mailSettingsOfChannel } from './email.ts'
export { sendTestMail } from './send-test-mail.ts'
export { testChannel } from './test-channel.ts'
export { webhookLimits, webhookSender } from './webhook.ts'
