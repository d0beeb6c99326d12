package io.parterre.bench.subject;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.work.SampleEntity;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * Answers every GET with the same entity and everything else with 204, without checking or storing
 * anything: the cost of a request without its work. The difference to a real server is the server's
 * own cost; the rate of this server is also the load generator's limit.
 */
public final class AnswerServer {
    private AnswerServer() {}

    /** Serves on a loopback port until the process ends. */
    public static void main(String[] arguments) throws InterruptedException {
        Channel channel = bind(Integer.parseInt(arguments[0]));
        channel.closeFuture().sync();
    }

    static Channel bind(int port) throws InterruptedException {
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(
                        2, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        ByteText json = new ByteText(2 * SampleEntity.JSON_BYTES);
        SampleEntity.putJson(1, 100, 0, json);
        byte[] entity = Arrays.copyOf(json.array(), json.length());
        Channel channel =
                new ServerBootstrap()
                        .group(group)
                        .channel(
                                epoll
                                        ? EpollServerSocketChannel.class
                                        : NioServerSocketChannel.class)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel accepted) {
                                        accepted.pipeline()
                                                .addLast(new HttpServerCodec())
                                                .addLast(new Answerer(entity));
                                    }
                                })
                        .bind(InetAddress.getLoopbackAddress(), port)
                        .sync()
                        .channel();
        channel.closeFuture().addListener(closed -> group.shutdownGracefully());
        return channel;
    }

    private static final class Answerer extends ChannelInboundHandlerAdapter {
        private final byte[] entity;
        private boolean read;

        Answerer(byte[] entity) {
            this.entity = entity;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                read = request.method().equals(HttpMethod.GET);
            }
            if (message instanceof LastHttpContent) {
                context.write(answer());
            }
            ReferenceCountUtil.release(message);
        }

        private DefaultFullHttpResponse answer() {
            ByteBuf body = read ? Unpooled.wrappedBuffer(entity) : Unpooled.EMPTY_BUFFER;
            DefaultFullHttpResponse answer =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            read ? HttpResponseStatus.OK : HttpResponseStatus.NO_CONTENT,
                            body);
            if (read) {
                answer.headers()
                        .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                        .setInt(HttpHeaderNames.CONTENT_LENGTH, entity.length);
            }
            return answer;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // The generator counts what it loses.
        }
    }
}
