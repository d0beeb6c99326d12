package io.parterre.entity;

/**
 * Builds a block, see {@link EntityCodec}, from names and texts that are already UTF-8 in an array,
 * as in a request's body, without making strings of them. Not thread-safe.
 */
public final class BlockBuilder {
    private final byte[] source;
    private final ByteSink out;

    /**
     * Starts with an empty block.
     *
     * @param source holds the names and texts
     * @param length sum of {@link #textLength} and {@link #valueLength} of the properties that will
     *     be added; the block grows if it is too small
     */
    public BlockBuilder(byte[] source, int length) {
        this.source = source;
        this.out = new ByteSink(length);
    }

    /** Returns the bytes of a string property. */
    public static int textLength(int nameBytes, int textBytes) {
        return 1 + EntityCodec.blobLength(nameBytes) + EntityCodec.blobLength(textBytes);
    }

    /** Returns the bytes of a property. Too small for a text with characters of several bytes. */
    public static int valueLength(int nameBytes, EdmValue value) {
        return 1 + EntityCodec.blobLength(nameBytes) + EntityCodec.dataLength(value);
    }

    /** Adds a string property. */
    public void addText(int nameFrom, int nameTo, int textFrom, int textTo) {
        name(EdmType.STRING, nameFrom, nameTo);
        out.writeBlob(source, textFrom, textTo - textFrom);
    }

    /** Adds a property. */
    public void add(int nameFrom, int nameTo, EdmValue value) {
        name(value.type(), nameFrom, nameTo);
        EntityCodec.writeData(value, out);
    }

    private void name(EdmType type, int from, int to) {
        out.writeByte(type.tag());
        out.writeBlob(source, from, to - from);
    }

    /** Returns the block; the builder must not be used afterwards. */
    public byte[] takeBlock() {
        return out.takeBytes();
    }
}
