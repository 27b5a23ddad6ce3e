// Run by the MongoDB image at the first start of an empty volume (compose.secure.yaml): the product's own user, for its own database only.
db.getSiblingDB('seo').createUser({
  user: 'seo',
  pwd: process.env.MONGODB_PASSWORD,
  roles: [
    { role: 'readWrite', db: 'seo' },
    { role: 'dbAdmin', db: 'seo' },
  ],
});
