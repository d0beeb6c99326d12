package io.parterre.server.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * The open database and the native objects that it needs while it is open. They are closed in the
 * order that RocksDB requires.
 */
final class RocksResources implements AutoCloseable {
    private static final long MIB = 1 << 20;

    /** RocksDB's default. */
    private static final int LEVELS = 7;

    /**
     * Part of a write buffer used for a filter of its keys. Each insert checks whether its entity
     * exists, and mostly it does not.
     */
    private static final double MEMORY_FILTER_SHARE = 0.005;

    private final Cache cache;
    private final WriteBufferManager writeBuffers;
    private final BloomFilter filter = new BloomFilter(10);
    private final Options options;
    final WriteOptions writeWithoutLog = new WriteOptions().setDisableWAL(true);
    final ReadOptions read = new ReadOptions();
    final ReadOptions readPersisted = new ReadOptions().setReadTier(ReadTier.PERSISTED_TIER);
    final FlushOptions flush = new FlushOptions().setWaitForFlush(true);
    final RocksDB db;
    private final BackgroundErrors backgroundErrors = new BackgroundErrors();

    private RocksResources(Path folder, StoreConfig config) throws RocksDBException {
        // Rows in memory are charged to the cache too, so that cache and rows have one common
        // bound.
        cache = new LRUCache(config.blockCacheBytes() + config.writeBufferBytes());
        writeBuffers = new WriteBufferManager(config.writeBufferBytes(), cache);
        options = options(config);
        db = RocksDB.open(options, folder.toString());
    }

    static RocksResources open(Path folder, StoreConfig config) throws RocksDBException {
        RocksDB.loadLibrary();
        return new RocksResources(folder, config);
    }

    /** Returns the first failure that {@link BackgroundErrors} keeps. */
    Optional<RocksDBException> backgroundFailure() {
        return backgroundErrors.failure();
    }

    /**
     * Writes nothing, and fails as a write would.
     *
     * @throws RocksDBException with the reason why nothing can be written now
     */
    void probe() throws RocksDBException {
        try (WriteBatch nothing = new WriteBatch()) {
            db.write(writeWithoutLog, nothing);
        }
    }

    /** Returns the options by which files of rows are written. */
    Options options() {
        return options;
    }

    /** Files of the first level are soon rewritten, so compressing them does not pay. */
    private static List<CompressionType> compression() {
        List<CompressionType> levels =
                new ArrayList<>(Collections.nCopies(LEVELS, CompressionType.LZ4_COMPRESSION));
        levels.set(0, CompressionType.NO_COMPRESSION);
        return levels;
    }

    private Options options(StoreConfig config) {
        BlockBasedTableConfig table =
                new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setBlockSize(16 * 1024)
                        .setFilterPolicy(filter)
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setOptimizeFiltersForMemory(true);
        Options built = new Options();
        built.setCreateIfMissing(true)
                .setTableFormatConfig(table)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setCompressionPerLevel(compression())
                .setWriteBufferManager(writeBuffers)
                .setWriteBufferSize(config.writeBufferBytes() / 2)
                .setMaxWriteBufferNumber(4)
                .setMemtablePrefixBloomSizeRatio(MEMORY_FILTER_SHARE)
                .setMemtableWholeKeyFiltering(true)
                .setTargetFileSizeBase(32 * MIB)
                .setMaxBytesForLevelBase(128 * MIB)
                .setLevelCompactionDynamicLevelBytes(true)
                .setMaxBackgroundJobs(2)
                .setMaxOpenFiles(config.openFilesMax())
                .setBytesPerSync(MIB)
                .setParanoidChecks(true)
                .setListeners(List.of(backgroundErrors));
        // A close must not write, because rows in memory may be wrong after a failure. An orderly
        // close flushes explicitly.
        built.setAvoidFlushDuringShutdown(true);
        built.setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(4 * MIB)
                .setKeepLogFileNum(4)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
        return built;
    }

    @Override
    public void close() {
        db.close();
        flush.close();
        readPersisted.close();
        read.close();
        writeWithoutLog.close();
        options.close();
        backgroundErrors.close();
        filter.close();
        writeBuffers.close();
        cache.close();
    }
}
