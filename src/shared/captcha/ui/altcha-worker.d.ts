declare module "altcha/workers/pbkdf2?worker&url" {
  const url: string;
  export default url;
}
