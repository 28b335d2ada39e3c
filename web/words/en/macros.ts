export const macros = {
  title: 'Macros',
  done: '{{name}}: done.',
  keyNext: '{{name}}, then the next record',
} as const
