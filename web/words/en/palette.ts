export const palette = {
  open: 'Search and commands',
  placeholder: 'Search or jump to …',
  actions: 'Go to',
  create: 'New in {{table}}',
  inConversation: 'in the conversation',
  empty: 'Nothing found. Try other words.',
} as const
