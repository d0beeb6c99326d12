package io.parterre.frontend.table;

/**
 * How big an entity may be. Source: sections 4.3, 4.6 and 4.7.
 *
 * @param entitySizeBytesMax by {@link io.parterre.entity.EntitySize}
 * @param propertyCountMax custom properties
 * @param keyCharsMax UTF-16 code units of each key
 * @param stringCharsMax UTF-16 code units of a String property
 * @param binaryBytesMax bytes of a Binary property, decoded
 */
public record EntityLimits(
        long entitySizeBytesMax,
        int propertyCountMax,
        int keyCharsMax,
        int stringCharsMax,
        int binaryBytesMax) {
    /** Those of the service. */
    public static final EntityLimits OF_THE_SERVICE =
            new EntityLimits(1 << 20, 252, 1_024, 32_768, 65_536);
}
