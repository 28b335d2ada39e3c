export const presence = {
  title: 'Who else is here',
  isHere: '{{name}} is here too.',
  isEditing: '{{name}} is writing here.',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly presence: typeof presence
  }
}
