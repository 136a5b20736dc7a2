/** Whether who gave to this fund shows their faith: seeing that needs the right `faith.see`, and is recorded. */
export const showsFaith = (fund: string): boolean => fund === "zakat" || fund === "qurban";
