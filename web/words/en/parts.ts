export const parts = {
  loading: 'Loading',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
} as const
