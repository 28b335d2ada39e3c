export const presence = {
  title: 'Who else is here',
  isHere: '{{name}} is here too.',
  isEditing: '{{name}} is writing here.',
} as const
