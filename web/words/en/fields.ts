export const fields = {
  yes: 'Yes',
  no: 'No',
  me: 'Me',
  addFile: 'Add files',
  removeFile: 'Remove {{name}}',
  uploading: 'Uploading …',
  notJson: 'This is not valid JSON yet.',
} as const
