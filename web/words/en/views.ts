export const views = {
  title: 'Views',
  all: 'All',
  save: 'Save',
  saveAs: 'Save as a new view …',
  edit: 'Edit view …',
  delete: 'Delete view',
  deleted: 'The view {{name}} was deleted.',
  actions: 'Actions for views',
  name: 'Name',
  shared: 'Shared',
  sharedWhy: 'Everybody who may read this table sees the view.',
  default: 'Open this table with it',
} as const
