export const standardFields = {
  id: 'No.',
  created_at: 'Created',
  updated_at: 'Changed',
  created_by: 'Created by',
  updated_by: 'Changed by',
} as const
