/** File of the rows in the folder of a store. */
export const DATA_FILE = 'data.mdb';
