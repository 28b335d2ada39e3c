export const standardFields = {
  id: 'No.',
  created_at: 'Created',
  updated_at: 'Changed',
  created_by: 'Created by',
  updated_by: 'Changed by',
  conversation_awaits: 'Waits for',
  conversation_last_at: 'Last message',
  side_team: 'Us',
  side_customer: 'Customer',
} as const
